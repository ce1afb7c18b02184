import { browserPage, type Page } from "./page";
import { createRunClient, type RunClient } from "./run-client";
import { createRunSessions, type RunSessions } from "./run-sessions";

/** What the stores stand on. */
export interface Services {
  client: RunClient;
  page: Page;
  sessions: RunSessions;
}

const client = createRunClient();

export const browserServices: Services = {
  client,
  page: browserPage,
  sessions: createRunSessions({ client, page: browserPage }),
};
