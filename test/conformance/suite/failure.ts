/** The server did something else than the API says. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The case can't be run here; the reason goes into the report. */
export class Skip extends Error {
  override readonly name = 'Skip';
}
