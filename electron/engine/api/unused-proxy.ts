/** The environment variables that name a proxy. */
type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the host and port of the proxy that the environment names for this address, without its user; null when there is none.
 * Mediadesk connects directly; an error can then say that the computer is set to use a proxy.
 */
export function unusedProxy(url: URL, environment: ProxyEnvironment): string | null {
  const value = (name: string) => environment[name.toLowerCase()] || environment[name.toUpperCase()] || '';
  const text = value(url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') || value('all_proxy');
  if (text === '' || isLoopback(url.hostname) || isExcluded(url.hostname, value('no_proxy'))) return null;
  const address = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(address) ? new URL(address).host : null;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}

/** `no_proxy`: names separated by commas or blanks, each also for the names below it; `*` means all. */
function isExcluded(host: string, list: string): boolean {
  return list
    .split(/[\s,]/)
    .map((each) => each.toLowerCase())
    .filter((each) => each !== '')
    .some((each) => {
      const name = each.startsWith('*.') ? each.slice(2) : each.startsWith('.') ? each.slice(1) : each;
      return name === '*' || host === name || host.endsWith(`.${name}`);
    });
}
