import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathOfAddress, readStartArguments } from '../../../../electron/main/presence/opened-with.ts';
import { appLinkTo, readAppLink } from '../../../../shared/model/app-link.ts';

const read = (args: readonly string[]) => readStartArguments({ args, workingDir: '/home/anna', ignored: ['/opt/app'] });

describe('the arguments of a start', () => {
  it('offer files and folders, in full paths, and nothing of the options', () => {
    expect(
      read(['--hidden', '--profile', '/p', '--profile=/q', '/opt/app', 'a.wav', '/b', 'file:///c%20d.mp4', '-x', '']),
    ).toEqual({ isHidden: true, asks: [{ kind: 'add', paths: ['/home/anna/a.wav', '/b', '/c d.mp4'] }] });
  });

  it('ignore addresses that name no file of this computer', () => {
    expect(read(['file://host/share', 'file:///a%2Fb', 'file:///a%00b', 'a\0b']).asks).toEqual([]);
  });

  it('name no other computer by an address, on any system, and a drive only on Windows', () => {
    for (const platform of ['linux', 'darwin', 'win32'])
      expect(pathOfAddress('file://host/share/a.mp4', platform)).toBeNull();
    expect(pathOfAddress('file:///C:/talks/a%20b.mp4', 'win32')).toBe('C:\\talks\\a b.mp4');
    expect(pathOfAddress('file:///talks/a.mp4', 'win32')).toBeNull();
    expect(pathOfAddress('file:///talks/a.mp4', 'darwin')).toBe('/talks/a.mp4');
  });

  it('open a link to an item or a collection', () => {
    const link = 'mediadesk://open?library=https%3A%2F%2Fmedia.example.org%2Fapi&item=123';
    const target = { baseUrl: 'https://media.example.org', target: 'item', id: '123' };
    expect(read([link]).asks).toEqual([{ kind: 'open', ...target }]);
    expect(readAppLink(link.replace('mediadesk://open', 'MEDIADESK://OPEN'))).toEqual(target);
    expect(readAppLink(link.replace('item', 'collection'))).toEqual({ ...target, target: 'collection' });
  });

  it.each([
    'mediadesk://open',
    'mediadesk://delete?library=https://a.example&item=1',
    'mediadesk://open/x?library=https://a.example&item=1',
    'mediadesk://open?library=javascript:alert(1)&item=1',
    'mediadesk://open?library=file:///etc&item=1',
    'mediadesk://open?library=https://user:secret@a.example&item=1',
    'mediadesk://open?library=https://a.example&item=../users',
    'mediadesk://open?library=https://a.example&item=1%00',
    `mediadesk://open?library=https://a.example&item=${'1'.repeat(3000)}`,
    'https://a.example',
  ])('lead nowhere, and say so, as the link %s', (link) => {
    expect(readAppLink(link)).toBeNull();
    if (link.startsWith('mediadesk:')) expect(read([link]).asks).toEqual([{ kind: 'bad-link' }]);
  });

  it('can be copied for every item of a library that has a usual id', () => {
    const place = { baseUrl: 'https://media.example.org/', target: 'item', id: '12_a-b' } as const;
    const link = appLinkTo(place) ?? '';
    expect(read([link]).asks).toEqual([{ kind: 'open', ...place, baseUrl: 'https://media.example.org' }]);
    expect(appLinkTo({ ...place, id: '../users' })).toBeNull();
    expect(appLinkTo({ ...place, baseUrl: 'file:///etc' })).toBeNull();
  });

  it('never throw, whatever a program sends', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (args, rest) => {
        const { asks } = read([...args, `mediadesk:${rest}`, `file:${rest}`]);
        for (const ask of asks) expect(['add', 'open', 'bad-link']).toContain(ask.kind);
      }),
    );
  });
});
