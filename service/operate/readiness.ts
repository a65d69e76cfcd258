/** The outcome of one check, with the figures that it is based on. */
export interface CheckResult {
  ok: boolean;
  [figure: string]: number | string | boolean;
}

export type Check = () => CheckResult | Promise<CheckResult>;

export interface ReadinessReport {
  status: 'ready' | 'not-ready';
  checks: Record<string, CheckResult>;
}

export interface ReadinessOptions {
  checks: Readonly<Record<string, Check>>;
  isDraining: () => boolean;
  /** A check that takes longer has failed. */
  limitMs: number;
  /** The age up to which a report is given again. */
  cacheMs: number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/**
 * Creates the question whether the service can do its work. However often it is asked, each check runs once at a time: one that
 * hangs fails for as long as it hangs, and is not started again. Whether the service is about to stop is never cached.
 */
export function createReadiness({ checks, isDraining, limitMs, cacheMs, now }: ReadinessOptions) {
  const running = new Map<string, Promise<CheckResult>>();
  let latest: { at: number; results: Record<string, CheckResult> } | undefined;
  let asking: Promise<Record<string, CheckResult>> | undefined;

  async function run(check: Check): Promise<CheckResult> {
    try {
      return await check();
    } catch (error) {
      return { ok: false, reason: codeOf(error) };
    }
  }

  async function within(name: string, check: Check): Promise<CheckResult> {
    if (running.has(name)) return { ok: false, reason: 'The check still runs.' };
    const result = run(check).finally(() => running.delete(name));
    running.set(name, result);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<CheckResult>((resolve) => {
      timer = setTimeout(resolve, limitMs, { ok: false, reason: `No answer within ${limitMs} ms.` });
    });
    try {
      return await Promise.race([result, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function ask(): Promise<Record<string, CheckResult>> {
    const at = now();
    const entries = Object.entries(checks).map(async ([name, check]) => [name, await within(name, check)] as const);
    const results = Object.fromEntries(await Promise.all(entries));
    latest = { at, results };
    return results;
  }

  async function results(): Promise<Record<string, CheckResult>> {
    if (latest !== undefined && now() - latest.at <= cacheMs) return latest.results;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    /** Returns the report; its checks began at most `cacheMs` ago. */
    async report(): Promise<ReadinessReport> {
      const checked = {
        running: { ok: !isDraining() },
        ...(await results()),
        ...(isDraining() ? { running: { ok: false } } : {}),
      };
      const isReady = Object.values(checked).every(({ ok }) => ok);
      return { status: isReady ? 'ready' : 'not-ready', checks: checked };
    },
  };
}

/** The code of a system error, such as ENOENT: its message would contain a path. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'failed';
}
