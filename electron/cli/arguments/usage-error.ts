/** A command line that cannot be read: a sentence, and the command whose help shows the right form. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Name of a command or of a family of commands; null for the overview. */
  readonly topic: string | null;

  constructor(message: string, topic: string | null = null) {
    super(message);
    this.topic = topic;
  }
}
