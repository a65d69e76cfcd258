/** The days of the week as the command line reads and writes them; the first is Sunday. */
export const DAY_WORDS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
