/** There is no use in the work any more, and it says nothing about the file. */
export class WorkEnded extends Error {}
