/** The difference between the clocks of this computer and of the library above which a publish time causes a warning. */
export const CLOCK_TOLERANCE_MS = 120_000;
