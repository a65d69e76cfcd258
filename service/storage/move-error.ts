/** A move that can't be made; `code` for programs. */
export class MoveError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
