/** The server violated the API. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The case can't run here; the reason is in the report. */
export class Skip extends Error {
  override readonly name = 'Skip';
}
