// The HTML that the suite parses: titles and forms of plain pages.

export interface Form {
  action: string;
  method: string;
  /** Names of all inputs and buttons. */
  names: ReadonlySet<string>;
  /** The values preset by the page: hidden fields and default values. */
  preset: ReadonlyMap<string, string>;
}

export function titleOf(html: string): string {
  return decode(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? '').trim();
}

/**
 * Returns the page's text without markup. The suite must not import code of the program that it tests, so it has its
 * own function.
 */
export function textOf(html: string): string {
  return decode(html.replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}

export function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, open = '', inside = '']) => {
    const names = new Set<string>();
    const preset = new Map<string, string>();
    for (const [, tag = '', text = ''] of inside.matchAll(/<(input|button|select|textarea)\b([^>]*)>/gi)) {
      const name = attribute(text, 'name');
      if (name === null) continue;
      names.add(name);
      const type = (attribute(text, 'type') ?? 'text').toLowerCase();
      const isSent =
        tag.toLowerCase() === 'input' && !['submit', 'button', 'radio', 'checkbox', 'image'].includes(type);
      if (isSent) preset.set(name, attribute(text, 'value') ?? '');
    }
    return {
      action: attribute(open, 'action') ?? '',
      method: (attribute(open, 'method') ?? 'get').toLowerCase(),
      names,
      preset,
    };
  });
}

function attribute(tag: string, name: string): string | null {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return match ? decode(match[1] ?? match[2] ?? match[3] ?? '') : null;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decode(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return NAMED[String(name).toLowerCase()] ?? whole;
  });
}
