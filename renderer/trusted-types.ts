interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string | null }): unknown;
}

/**
 * Lets scripts empty an element by `innerHTML = ''`, as the fields for dates and times do with their text for screen readers. An
 * empty text contains no markup. Every other text stays refused where HTML is parsed.
 */
export function allowEmptyHtml(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '' ? html : null) });
}
