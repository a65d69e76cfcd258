const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Common languages of captions, by their two-letter codes; the user can type any other tag. */
const CODES = [
  'af,am,ar,az,be,bg,bn,bs,ca,cs,cy,da,de,el,en,eo,es,et,eu,fa,fi,fil,fo,fr,fy,ga,gd,gl,gu,he',
  'hi,hr,ht,hu,hy,id,is,it,ja,ka,kk,km,kn,ko,ky,la,lb,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,nb',
  'ne,nl,nn,no,oc,or,pa,pl,ps,pt,pt-BR,pt-PT,ro,ru,rw,sd,si,sk,sl,so,sq,sr,st,su,sv,sw,ta,te,tg,th',
  'tk,tl,tr,tt,ug,uk,ur,uz,vi,wo,xh,yi,yo,zh,zh-Hans,zh-Hant,zu',
].flatMap((codes) => codes.split(','));

/** The languages of the picker, by name. */
export const LANGUAGES: readonly { id: string; label: string }[] = CODES.map((id) => ({
  id,
  label: languageText(id),
})).sort((one, other) => one.label.localeCompare(other.label, 'en'));

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

/** Returns `German`, or the tag itself when the system has no name for it. */
export function languageText(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Returns the language of a typed name or tag; null for an empty text, undefined for a text that is no language. */
export function languageOfText(text: string): string | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const named = LANGUAGES.find(({ label }) => label.toLowerCase() === typed.toLowerCase());
  if (named !== undefined) return named.id;
  return TAG.test(typed) && typed.length <= 35 && isKnown(typed) ? typed : undefined;
}

function isKnown(tag: string): boolean {
  try {
    return NAMES.of(tag) !== undefined;
  } catch {
    return false;
  }
}
