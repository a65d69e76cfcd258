interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string | null }): unknown;
}

/**
 * Allows scripts to empty an element by `innerHTML = ''`: the fields for dates and times do that with their text for screen
 * readers. An empty text contains no markup. Every other text is still refused where HTML is parsed.
 */
export function allowEmptyHtml(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '' ? html : null) });
}
