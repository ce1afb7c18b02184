export { type Answer, type BodyPart, type Handler, json, sse } from "./answer";
export { apiBaseUrl, isKnownApi, knownApis } from "./apis";
export { Gate } from "./gate";
export type { Ending, RecordedRequest } from "./recorded-request";
export { ReplayServer, type Route } from "./replay-server";
export type { Split } from "./split";
