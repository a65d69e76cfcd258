import { describe, expect, it } from 'vitest';
import { mayLeadTo } from '../../../../electron/engine/api/network-zones.ts';

const leads = (from: string, to: string) => mayLeadTo(new URL(from), new URL(to));
const LIBRARY = 'https://media.example.org/api2/files/1';

describe('an address that the library names', () => {
  it.each([
    ['https://media.example.org/content/1'],
    ['https://store.example.net/1?signature=x'],
    // Host names that contain “localhost” and don't name this computer.
    ['https://localhost.example.net/1'],
    ['https://notlocalhost/1'],
  ])('is used when it is as public and as encrypted as the library: %s', (to) => {
    expect(leads(LIBRARY, to)).toBe(true);
  });

  it.each([
    ['to another host without encryption', 'http://store.example.net/1'],
    ['to the same host without encryption', 'http://media.example.org/1'],
    ['to this computer', 'https://127.0.0.1/1'],
    ['to this computer by a hexadecimal notation', 'https://0x7f.1/1'],
    ['to this computer by name', 'https://localhost:8443/1'],
    ['to this computer by a name with a dot at its end', 'https://localhost./1'],
    ['to this computer by a name below localhost', 'https://store.localhost/1'],
    ['to this computer over IPv6', 'https://[::1]/1'],
    ['to a private network', 'https://192.168.1.1/1'],
    ['to a private network as IPv6', 'https://[::ffff:10.0.0.1]/1'],
    ['to a link-local address', 'https://169.254.169.254/1'],
    ['to a file', 'file:///etc/passwd'],
    ['to a data: address', 'data:text/plain,x'],
  ])('is refused when it leads %s', (_where, to) => {
    expect(leads(LIBRARY, to)).toBe(false);
  });

  it('may be in the private network of the library itself, or in a more public one', () => {
    expect(leads('http://10.0.0.7/api2', 'http://10.0.0.8/1')).toBe(true);
    expect(leads('http://10.0.0.7/api2', 'https://store.example.net/1')).toBe(true);
    expect(leads('http://10.0.0.7/api2', 'http://127.0.0.1/1')).toBe(false);
    expect(leads('http://localhost:3000/api2', 'http://localhost:4000/1')).toBe(true);
  });
});
