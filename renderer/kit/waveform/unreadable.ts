/** A recording can't be read as its format says, or its file can't be read at all. `cause` is the error of the reader or decoder. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';

  constructor(cause: unknown) {
    super('unreadable recording', { cause });
  }

  /** The file of this computer can't be read any more: it was removed or changed, or its disk is gone. */
  get isGone(): boolean {
    const { cause } = this;
    return cause instanceof DOMException && (cause.name === 'NotReadableError' || cause.name === 'NotFoundError');
  }
}

/** Calls a reader or decoder of recordings. Each of its errors is a fact about the recording, thrown as `Unreadable`. */
export async function unreadableFacts<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Unreadable(error);
  }
}

/** Passes on what a reader returns one after the other. Throws `Unreadable` for its errors only, not for those of the consumer. */
export async function* readable<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw new Unreadable(error);
  }
}
