import { WAVEFORM_WORKER_PATH } from '../shared/contract/worker-address.ts';

interface PolicyRules {
  createHTML(html: string): string | null;
  createScriptURL(address: string): string | null;
}

interface PolicyFactory {
  createPolicy(name: string, rules: PolicyRules): unknown;
}

/**
 * Sets the only policy of the page. Scripts may empty an element by `innerHTML = ''`: the fields for dates and times do that with
 * their text for screen readers, and an empty text contains no markup. They may start the worker for waveforms. Every other text is
 * still refused where HTML is parsed, and every other address where a script is loaded.
 */
export function setTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', {
    createHTML: (html) => (html === '' ? html : null),
    createScriptURL: (address) => (address === WAVEFORM_WORKER_PATH ? address : null),
  });
}
