/** Set once the window is open and answers calls. Tests wait for it. */
declare var __mediadeskReady: boolean | undefined;
