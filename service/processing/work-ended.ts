/** There is no use in the work any more, and it says nothing about the file. */
export class WorkEnded extends Error {}

/** The work can't be completed: its file was deleted, or its claim was not renewed in time. */
export class ClaimLost extends WorkEnded {
  constructor() {
    super('The file was deleted, or its processing has begun elsewhere.');
  }
}
