interface Address {
  protocol: string;
  host: string;
  hostname: string;
  pathname: string;
  origin: string;
  username: string;
  password: string;
  searchParams: { get(name: string): string | null };
}

/** `URL` of the platform: every environment of shared code has it, but the types of this folder are those of the language alone. */
export const { URL: addresses } = globalThis as unknown as { URL: { parse(text: string): Address | null } };
