/** The clocks of this computer and of the library may differ by this much before a publication time is warned about. */
export const CLOCK_TOLERANCE_MS = 120_000;
