/**
 * A vendor on loopback: plays scripted answers, at gates that a test opens, in chunks cut wherever it likes, and keeps every
 * request. What nobody scripted is answered with 501 and a sentence, so a test never waits for nothing.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { KnownApi } from "@/lib/ai/types";
import { type Answer, type Handler, json } from "./answer";
import { apiBaseUrl, isKnownApi } from "./apis";
import { type Ending, type RecordedRequest, recordRequest } from "./recorded-request";
import { sendAnswer } from "./send-answer";

/** Requests of one API, or those whose path begins so. */
export type Route = KnownApi | `/${string}`;

interface Waiter {
  route: Route | undefined;
  resolve: (request: RecordedRequest) => void;
}

export class ReplayServer {
  /** Every request since the start or the last `reset`, in order of arrival. */
  readonly requests: RecordedRequest[] = [];
  private answers: { route: Route; answer: Answer }[] = [];
  private handlers: { route: Route; handler: Handler }[] = [];
  private waiters: Waiter[] = [];
  private taken = new Set<RecordedRequest>();
  /** How to break each exchange that is not over. */
  private open = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** @param port 0 (the default): any free one */
  static async start(port = 0): Promise<ReplayServer> {
    const server = createServer();
    // A client that reuses an idle connection must not find it closed.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
    const replay = new ReplayServer(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    server.on("request", (message, response) => void replay.serve(message, response));
    return replay;
  }

  /** What a client of this API takes as its base URL. */
  baseUrl(api: KnownApi): string {
    return apiBaseUrl(api, this.origin);
  }

  /** Queues answers for the route's next requests, one each. */
  answer(route: Route, ...answers: Answer[]): void {
    for (const answer of answers) this.answers.push({ route, answer });
  }

  /** Answers every request of the route for which no answer is queued. A later handler goes first. */
  handle(route: Route, handler: Handler): void {
    this.handlers.unshift({ route, handler });
  }

  /** The earliest request of the route that was not given out by this method yet; waits for one. */
  nextRequest(route?: Route): Promise<RecordedRequest> {
    const request = this.requests.find(
      (candidate) => !this.taken.has(candidate) && matches(candidate, route),
    );
    if (request) {
      this.taken.add(request);
      return Promise.resolve(request);
    }
    return new Promise((resolve) => this.waiters.push({ route, resolve }));
  }

  /** Answers that no request has come for. */
  get unused(): number {
    return this.answers.length;
  }

  /** Forgets scripts and requests, and breaks what is still open. */
  reset(): void {
    this.answers = [];
    this.handlers = [];
    this.waiters = [];
    this.taken.clear();
    this.requests.length = 0;
    for (const breakOff of this.open) breakOff();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const breakOff of this.open) breakOff();
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    let cut = false;
    const breakOff = (): void => {
      cut = true;
      response.destroy();
    };
    this.open.add(breakOff);
    const ended = new Promise<Ending>((resolve) => {
      response.on("close", () => {
        this.open.delete(breakOff);
        left.abort();
        if (response.writableFinished) resolve("answered");
        else resolve(cut ? "server-cut" : "client-closed");
      });
    });
    try {
      const request = await recordRequest(message, ended);
      this.record(request);
      const answer = await this.answerFor(request);
      await sendAnswer(response, answer, left.signal);
      if (answer.ending === "cut") breakOff();
    } catch {
      // The client left in the middle of its request, or a handler failed, which the client sees as a broken connection.
      if (!left.signal.aborted) breakOff();
    }
  }

  private record(request: RecordedRequest): void {
    this.requests.push(request);
    const index = this.waiters.findIndex((waiter) => matches(request, waiter.route));
    const [waiter] = index < 0 ? [] : this.waiters.splice(index, 1);
    if (!waiter) return;
    this.taken.add(request);
    waiter.resolve(request);
  }

  private answerFor(request: RecordedRequest): Answer | Promise<Answer> {
    const index = this.answers.findIndex(({ route }) => matches(request, route));
    const [queued] = index < 0 ? [] : this.answers.splice(index, 1);
    if (queued) return queued.answer;
    const handled = this.handlers.find(({ route }) => matches(request, route));
    if (handled) return handled.handler(request);
    const message = `The replay server has no answer for ${request.method} ${request.path}.`;
    return json(501, { error: { message, type: "no_answer", code: 501 } });
  }
}

function matches(request: RecordedRequest, route: Route | undefined): boolean {
  if (route === undefined) return true;
  return isKnownApi(route) ? request.api === route : request.path.startsWith(route);
}
