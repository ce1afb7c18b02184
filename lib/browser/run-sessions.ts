import { type RunSession, type RunSessionOptions, startRunSession } from "./run-session";

/** The runs that this page follows, at most one per conversation, whichever conversation is on screen. */
export interface RunSessions {
  get(conversationId: string): RunSession | undefined;
  start(options: Omit<RunSessionOptions, "client" | "page">): RunSession;
  /** Lets go of all of them, as a closed tab does. */
  leaveAll(): void;
}

export function createRunSessions(
  services: Pick<RunSessionOptions, "client" | "page">,
): RunSessions {
  const sessions = new Map<string, RunSession>();
  return {
    get: (conversationId) => sessions.get(conversationId),
    start(options) {
      const session = startRunSession({ ...options, ...services });
      sessions.set(options.conversationId, session);
      void session.finished.then(() => {
        if (sessions.get(options.conversationId) === session) {
          sessions.delete(options.conversationId);
        }
      });
      return session;
    },
    leaveAll() {
      for (const session of sessions.values()) session.leave();
    },
  };
}
