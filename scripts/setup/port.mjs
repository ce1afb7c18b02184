import { createServer } from "node:net";
import { Explained } from "./explain.mjs";

/**
 * @param {string | undefined} value as in the environment; empty counts as not set
 * @param {number} fallback
 */
export function readPort(value, fallback) {
  if (value === undefined || value.trim() === "") return fallback;
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new Explained(`PORT must be a whole number from 0 to 65535, and it is "${value}".`);
}

/**
 * Listens for a moment.
 *
 * @param {number} port 0: any free one
 * @param {string} host
 * @returns {Promise<number>} the port; rejects with the system's error when it cannot be had
 */
function tryToListen(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const got = address && typeof address === "object" ? address.port : port;
      server.close(() => resolve(got));
    });
  });
}

/** @param {string} [host] */
export function freePort(host = "127.0.0.1") {
  return tryToListen(0, host);
}

/**
 * Fails with a sentence when nothing can listen there.
 *
 * @param {number} port
 * @param {string} host
 */
export async function requireFreePort(port, host) {
  try {
    await tryToListen(port, host);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      throw new Explained(
        `Port ${port} is in use. Stop what listens there, or choose another port: PORT=${port + 1} npm start`,
      );
    }
    if (code === "EACCES") {
      throw new Explained(
        `This user may not listen on port ${port}. Choose one above 1023 in PORT.`,
      );
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new Explained(`RILL_HOST is "${host}", which is not an address of this machine.`);
    }
    throw error;
  }
}
