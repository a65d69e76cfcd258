/**
 * The texts that a command line without work prints. They are written when the program is packed, so that it need not load all
 * its commands for them.
 */
export interface ReadyAnswers {
  /** With a line break. */
  version: string;
  /** The help without a topic. */
  overview: string;
  /** The help of each command and family, such as `upload` and `queue`. */
  topics: Readonly<Record<string, string>>;
}

/** Returns the text that a command line prints; null: it needs the whole program. */
export function readyAnswer(args: readonly string[], answers: ReadyAnswers): string | null {
  const [first = '', ...rest] = args;
  const last = args.at(-1) ?? '';
  if (args.length === 1 && (first === '--version' || first === '-V')) return answers.version;
  if (args.length === 1 && ['--help', '-h', 'help'].includes(first)) return answers.overview;
  const topic = first === 'help' ? rest : ['--help', '-h'].includes(last) ? args.slice(0, -1) : [];
  const name = topic.join(' ');
  return Object.hasOwn(answers.topics, name) ? (answers.topics[name] ?? null) : null;
}
