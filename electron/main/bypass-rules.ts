/** Returns exceptions in Chromium's form, where a name does not stand for those below it. */
export function bypassRules(exceptions: string): string {
  return exceptions
    .split(/[\s,;]/)
    .filter((each) => each !== '')
    .flatMap((each) => {
      const name = each.startsWith('*.') ? each.slice(2) : each.startsWith('.') ? each.slice(1) : each;
      return name === '*' ? ['*'] : [name, `.${name}`];
    })
    .join(',');
}
