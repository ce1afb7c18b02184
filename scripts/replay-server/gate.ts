/** A place in a body where the server waits until a test lets it go on. No clock is involved. */
export class Gate {
  /** Settles when the server has sent everything before the gate. */
  readonly reached: Promise<void>;
  /** Settles when the gate was opened. */
  readonly opened: Promise<void>;
  private arrive!: () => void;
  private release!: () => void;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.arrive = resolve;
    });
    this.opened = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  open(): void {
    this.release();
  }

  /** For the server. */
  enter(): void {
    this.arrive();
  }
}
