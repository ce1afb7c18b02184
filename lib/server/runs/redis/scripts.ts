/**
 * What has to happen as one step. A run has four keys, in one slot of a cluster:
 * - `log`: a stream of SSE frames whose ids are the events' numbers;
 * - `state`: `owner`, `last` number, `ended` 0 or 1, and when a reader was there last (`read`, ms);
 * - `lease`: the owner's name, gone when the owner has not said for a while that it lives;
 * - `id`: that this id was used, and by which attempt; kept longer than the log.
 * Each has an end in time, so a dead instance leaves nothing behind for good.
 */

import { createHash } from "node:crypto";

export type Script = string & { readonly isScript?: true };

const shas = new Map<Script, string>();

export function scriptSha(script: Script): string {
  let sha = shas.get(script);
  if (sha === undefined) {
    sha = createHash("sha1").update(script).digest("hex");
    shas.set(script, sha);
  }
  return sha;
}

/**
 * KEYS id, state, lease. ARGV owner, leaseMs, keepMs, idMs, and a word of this attempt, so that it may be sent twice.
 * Returns 1, or 0 when the id was used before.
 */
export const createScript: Script = `
if not redis.call('SET', KEYS[1], ARGV[5], 'NX', 'PX', ARGV[4]) then
  return redis.call('GET', KEYS[1]) == ARGV[5] and 1 or 0
end
redis.call('HSET', KEYS[2], 'owner', ARGV[1], 'last', '0', 'ended', '0')
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * KEYS log, state, lease. ARGV owner, keepMs, channel, 1 when the last frame is the end, number of the first frame, frames.
 * What is there already is passed over, so it may be sent twice. Returns 1, or 0 when the log is not the owner's any more.
 */
export const appendScript: Script = `
local state = redis.call('HMGET', KEYS[2], 'owner', 'last', 'ended')
if state[1] ~= ARGV[1] or state[3] ~= '0' then return 0 end
local last = tonumber(state[2])
local first = tonumber(ARGV[5])
if first > last + 1 then return 0 end
for i = 6, #ARGV do
  local seq = first + i - 6
  if seq > last then
    redis.call('XADD', KEYS[1], string.format('%d-0', seq), 'e', ARGV[i])
    last = seq
  end
end
redis.call('HSET', KEYS[2], 'last', string.format('%d', last), 'ended', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
if ARGV[4] == '1' then redis.call('DEL', KEYS[3]) end
redis.call('PUBLISH', ARGV[3], last)
return 1`;

/** KEYS id, log, state, lease. ARGV owner, leaseMs, keepMs, idMs. Returns 1, or 0 when the log is not the owner's any more. */
export const renewScript: Script = `
local state = redis.call('HMGET', KEYS[3], 'owner', 'ended')
if state[1] ~= ARGV[1] or state[2] ~= '0' then return 0 end
redis.call('SET', KEYS[4], ARGV[1], 'PX', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
return 1`;

/** KEYS state, lease. ARGV 1 from a reader. Returns {last or -1 when unknown, ended, alive}. */
export const lookScript: Script = `
local state = redis.call('HMGET', KEYS[1], 'last', 'ended')
if not state[1] then return {-1, 0, 0} end
if ARGV[1] == '1' and state[2] == '0' then
  local now = redis.call('TIME')
  redis.call('HSET', KEYS[1], 'read', string.format('%d', now[1] * 1000 + math.floor(now[2] / 1000)))
end
return {tonumber(state[1]), tonumber(state[2]), redis.call('EXISTS', KEYS[2])}`;

/** KEYS state. Returns ms since a reader was there, or -1 when none was. */
export const idleScript: Script = `
local read = redis.call('HGET', KEYS[1], 'read')
if not read then return -1 end
local now = redis.call('TIME')
return now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(read)`;

/**
 * The end of a run whose instance is gone. KEYS log, state, lease. ARGV keepMs, channel. Does nothing while the owner
 * lives or when the end is there. The frame has the form of the SSE codec, the time of the event before.
 */
export const buryScript: Script = `
local state = redis.call('HMGET', KEYS[2], 'last', 'ended')
if state[2] ~= '0' or redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
local seq = string.format('%d', tonumber(state[1]) + 1)
local before = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local t = before and string.match(before[2][2], '"t":([%d%.]+)') or '0'
local frame = 'id: ' .. seq .. '\\ndata: {"seq":' .. seq .. ',"t":' .. t
  .. ',"type":"agent_end","messages":[],"interrupted":true}\\n\\n'
redis.call('XADD', KEYS[1], seq .. '-0', 'e', frame)
redis.call('HSET', KEYS[2], 'last', seq, 'ended', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('PUBLISH', ARGV[2], seq)
return 1`;
