import {
  type CommandHandler,
  type CommandOutcome,
  type InstanceMail,
  parseInstanceMail,
  type RunCommand,
} from "../command";
import { type RedisConnection, unavailable } from "./connection";
import { instanceChannel } from "./keys";

const answerMs = 5000;
const retryMs = 100;

/** Who runs a run, or what is known without asking anybody. */
export type Addressee = { owner: string } | { outcome: CommandOutcome | undefined };

/** Commands between instances. Each is delivered at most once: nothing that a person said is done twice. */
export class Mail {
  private readonly answers = new Map<string, (outcome: CommandOutcome) => void>();
  private opening: Promise<void> | undefined;

  constructor(
    private readonly connection: RedisConnection,
    private readonly instanceId: string,
    private readonly handler: CommandHandler,
  ) {}

  /** Resolves when mail to this instance arrives. */
  open(): Promise<void> {
    this.opening ??= this.connection
      .subscribe(instanceChannel(this.instanceId), (text) => this.receive(text))
      .catch((error: unknown) => {
        this.opening = undefined;
        throw error;
      });
    return this.opening;
  }

  /** @throws HttpError 503 when there is an owner that does not answer */
  async send(
    runId: string,
    command: RunCommand,
    find: () => Promise<Addressee>,
  ): Promise<CommandOutcome | undefined> {
    await this.connection.patiently(() => this.open());
    const latest = performance.now() + answerMs;
    do {
      const addressee = await find();
      if ("outcome" in addressee) return addressee.outcome;
      const { owner } = addressee;
      if (owner === this.instanceId) return this.handler(runId, command) ?? "ended";
      const outcome = await this.ask(owner, runId, command).catch(() => {
        throw unavailable();
      });
      if (outcome !== "nobody") return outcome;
      // Away for a moment, or dead: its lease will tell.
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    } while (performance.now() < latest);
    throw unavailable();
  }

  private async ask(
    owner: string,
    runId: string,
    command: RunCommand,
  ): Promise<CommandOutcome | "nobody"> {
    const id = crypto.randomUUID();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = new Promise<CommandOutcome>((resolve, reject) => {
      this.answers.set(id, resolve);
      timer = setTimeout(() => reject(unavailable()), answerMs);
    });
    // Told below when anybody waits for it.
    answer.catch(() => {});
    try {
      const mail: InstanceMail = { kind: "command", id, from: this.instanceId, runId, command };
      return (await this.post(owner, mail)) ? await answer : "nobody";
    } finally {
      clearTimeout(timer);
      this.answers.delete(id);
    }
  }

  private receive(text: string): void {
    const mail = parseInstanceMail(text);
    if (!mail) return;
    if (mail.kind === "reply") {
      this.answers.get(mail.id)?.(mail.outcome);
      return;
    }
    const outcome = this.handler(mail.runId, mail.command) ?? "ended";
    void this.post(mail.from, { kind: "reply", id: mail.id, outcome }).catch(() => {});
  }

  private async post(instanceId: string, mail: InstanceMail): Promise<boolean> {
    const channel = instanceChannel(instanceId);
    return Number(await this.connection.command("PUBLISH", channel, JSON.stringify(mail))) > 0;
  }
}
