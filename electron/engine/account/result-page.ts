/** Headers of every answer of the loopback server: nothing is cached, nothing is loaded, no referrer is sent. */
export const RESULT_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const;

const WORDS = {
  approved: {
    mark: '✓',
    title: 'You’re signed in',
    text: 'Go back to Mediadesk. You can close this page.',
  },
  failed: {
    mark: '!',
    title: 'You’re not signed in',
    text: 'Go back to Mediadesk to see why. You can close this page.',
  },
} as const;

/** The page at the end of a sign-in. It contains fixed texts only, nothing from the request. */
export function resultPage(result: keyof typeof WORDS): string {
  const { mark, title, text } = WORDS[result];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Mediadesk</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 26rem; padding: 2rem; text-align: center; }
.mark { width: 3rem; height: 3rem; margin: 0 auto 1rem; border: 2px solid currentColor; border-radius: 50%;
  font-size: 1.5rem; line-height: 3rem; }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; font-weight: 600; }
p { margin: 0; opacity: .75; }
</style>
</head>
<body>
<main>
<div class="mark" aria-hidden="true">${mark}</div>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
}
