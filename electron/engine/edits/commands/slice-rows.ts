/** The number of edits per turn of the event loop: a command can concern tens of thousands, and each of them is stored again. */
export const SLICE_ROWS = 20;
