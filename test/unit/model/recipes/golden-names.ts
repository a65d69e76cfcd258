// Names as producers use them, with the values that a pattern reads: `name => token=value; …`, or `name => -` for a name that the
// pattern does not match. `\s` stands for a blank at the end of a value.
export const GOLDEN_NAMES: Readonly<Record<string, string>> = {
  '{date:YYYYMMDD}_{course}_{title}': `
20261104_Optics_Polarization => date=2026-11-04; course=Optics; title=Polarization
20261105_Optics_Wave optics, part 2 => date=2026-11-05; course=Optics; title=Wave optics, part 2
20261104_Optics_ => -
20261104__Polarization => -
20261304_Optics_Polarization => -
20260229_Optics_Leap day => -
20240229_Optics_Leap day => date=2024-02-29; course=Optics; title=Leap day
20261104_Optics_Polarization_raw_v2 => date=2026-11-04; course=Optics; title=Polarization_raw_v2
2026-11-04_Optics_Polarization => -
20261104_Größe_Übung 3 => date=2026-11-04; course=Größe; title=Übung 3`,
  '{title} - {byline}': `
Moon rising - Ada Lovelace => title=Moon rising; byline=Ada Lovelace
Moon - Sun - Ada => title=Moon; byline=Sun - Ada
Moon rising => -
Moon-rising - Ada => title=Moon-rising; byline=Ada
 - Ada => -
Moon -  => -
日の出 - 田中 => title=日の出; byline=田中
A – B - C => title=A – B; byline=C
Интервью - Анна => title=Интервью; byline=Анна
a - b => title=a; byline=b`,
  '{n}. {title}': `
1. Introduction => n=1; title=Introduction
01. Introduction => n=01; title=Introduction
12. Chapter 12. The end => n=12; title=Chapter 12. The end
. Introduction => -
A1. Introduction => -
007. Bond => n=007; title=Bond
3.Introduction => -
3. 3 => n=3; title=3
10000. Many => n=10000; title=Many
1 Introduction => -`,
  '{title} {nnn}': `
Episode 012 => title=Episode; n=012
Episode 12 => -
Episode 1234 => title=Episode; n=1234
The show 2026 045 => title=The show 2026; n=045
A 000 => title=A; n=000
 001 => -
Night train 100 => title=Night train; n=100
Night 5 train 500 => title=Night 5 train; n=500
Episode012 => -
Episode 012b => -`,
  '{title} ({date:DD.MM.YYYY})': `
Concert (04.11.2026) => title=Concert; date=2026-11-04
Concert (live) (04.11.2026) => title=Concert (live); date=2026-11-04
Concert (31.11.2026) => -
Concert (4.11.2026) => -
Concert(04.11.2026) => -
Concert (04.11.2026) copy => -
Konzert Nr. 5 (01.01.2000) => title=Konzert Nr. 5; date=2000-01-01
( (04.11.2026) => title=(; date=2026-11-04
Concert (29.02.2100) => -
Concert (29.02.2000) => title=Concert; date=2000-02-29`,
  '{date:YYYY-MM-DD HH-mm-ss}': `
2026-11-04 09-30-15 => date=2026-11-04T09:30:15
2026-11-04 24-00-00 => -
2026-11-04 23-59-59 => date=2026-11-04T23:59:59
2026-11-04 09-60-00 => -
2026-11-04 => -
2026-11-04 09-30-15 (2) => -
2026-11-4 09-30-15 => -
0000-11-04 09-30-15 => -
2026-12-31 00-00-00 => date=2026-12-31T00:00:00
20261104 093015 => -`,
  '{*} {title}.{byline}': `
Take1 Solo.Ada => title=Solo; byline=Ada
Take 1 Solo.Ada => title=1 Solo; byline=Ada
Solo.Ada => -
x y.z.w => title=y; byline=z.w
x .z => -
x y. => -
 x y.z => title=y; byline=z
a b c d.e => title=b c d; byline=e
😀 Smile.Ada => title=Smile; byline=Ada
x y.😀 => title=y; byline=😀`,
  'REC_{date:YYYYMMDDHHmmss}': `
REC_20261104093015 => date=2026-11-04T09:30:15
REC_2026110409301 => -
REC_202611040930155 => -
rec_20261104093015 => -
REC_20261104093060 => -
REC_20261304093015 => -
REC20261104093015 => -
REC_20261104 093015 => -
REC_19991231235959 => date=1999-12-31T23:59:59
_REC_20261104093015 => -`,
  '{show}.S{nn}.{title}': `
Science Hour.S05.Black holes => show=Science Hour; n=05; title=Black holes
Science.Hour.S05.Black.holes => show=Science.Hour; n=05; title=Black.holes
Science Hour.S5.Black holes => -
Science Hour.S105.Black holes => show=Science Hour; n=105; title=Black holes
.S05.Black holes => -
Science Hour.S05. => -
S05.S06.S07 => show=S05; n=06; title=S07
a.S01.b.S02.c => show=a; n=01; title=b.S02.c
Science Hour.s05.Black holes => -
x.S00.y => show=x; n=00; title=y`,
  '{speaker}, {title}, {place}': `
Curie, Radium, Paris => speaker=Curie; title=Radium; place=Paris
Curie, Radium, Paris, France => speaker=Curie; title=Radium; place=Paris, France
Curie, Radium => -
Curie,Radium,Paris => -
Marie Curie, On rays, Rue 1 => speaker=Marie Curie; title=On rays; place=Rue 1
,  , x => -
a, b, c => speaker=a; title=b; place=c
Ünal, Ölçü, İzmir => speaker=Ünal; title=Ölçü; place=İzmir
O'Neil, It's, 5th Ave => speaker=O'Neil; title=It's; place=5th Ave
"Q", 'T', P => speaker="Q"; title='T'; place=P`,
  '[{tag}] {title}': `
[Draft] Lecture 3 => tag=Draft; title=Lecture 3
[a] [b] c => tag=a; title=[b] c
[] c => -
Draft Lecture 3 => -
[Draft]Lecture 3 => -
[Draft]  => -
[x]] y => tag=x]; title=y
[Draft] Lecture [3] => tag=Draft; title=Lecture [3]
[#1] News => tag=#1; title=News
[ ] News => tag=\\s; title=News`,
  '{{{code}}} {title}': `
{A1} Title => code=A1; title=Title
{A1}Title => -
A1 Title => -
{} Title => -
{{A1}} Title => code={A1}; title=Title
{A1} {B2} => code=A1; title={B2}
{A 1} T => code=A 1; title=T
{A1}  T => code=A1; title= T
(A1) Title => -
{A1} => -`,
  '{date:DDMMYYYY}{title}': `
04112026Opening => date=2026-11-04; title=Opening
04112026 => -
4112026Opening => -
31042026Opening => -
04112026 Opening => date=2026-11-04; title= Opening
0411202620 => date=2026-11-04; title=20
00112026Opening => -
04112026é => date=2026-11-04; title=é
04112026_a_b => date=2026-11-04; title=_a_b
99999999Opening => -`,
  '{title}{date:YYYYMMDD}': `
Opening20261104 => title=Opening; date=2026-11-04
20261104 => -
2026110420261105 => title=20261104; date=2026-11-05
Opening20261304 => -
Opening 20261104 => title=Opening ; date=2026-11-04
Opening20261104b => -
a20261104 => title=a; date=2026-11-04
1120261104 => title=11; date=2026-11-04
Opening2026110 => -
_20261104 => title=_; date=2026-11-04`,
  '{place}@{date:YYYY.MM.DD}@{title}': `
Hall A@2026.11.04@Keynote => place=Hall A; date=2026-11-04; title=Keynote
Hall@A@2026.11.04@Keynote => place=Hall@A; date=2026-11-04; title=Keynote
Hall A@2026-11-04@Keynote => -
Hall A@2026.11.04@ => -
@2026.11.04@Keynote => -
Hall A@2026.11.04@Key@note => place=Hall A; date=2026-11-04; title=Key@note
Hall A@2026.11.04Keynote => -
x@2026.02.30@y@2026.03.01@z => place=x@2026.02.30@y; date=2026-03-01; title=z
Hall A@20261104@Keynote => -
a@2000.01.01@b => place=a; date=2000-01-01; title=b`,
  '{title}_{n}of{total}': `
Talk_1of3 => title=Talk; n=1; total=3
Talk_part_2of10 => title=Talk_part; n=2; total=10
Talk_of3 => -
Talk_1of => -
Talk1of3 => -
Talk_1 of 3 => -
_1of3 => -
Talk_01of03 => title=Talk; n=01; total=03
a_b_c_9of9 => title=a_b_c; n=9; total=9
Talk_1of3of4 => title=Talk; n=1; total=3of4`,
  '{lang}/{title}': `
en/News => lang=en; title=News
en/News/Late => lang=en; title=News/Late
News => -
/News => -
en/ => -
zh-Hant/新聞 => lang=zh-Hant; title=新聞
de_AT/Zeit im Bild => lang=de_AT; title=Zeit im Bild
a/b => lang=a; title=b
//x => lang=/; title=x
en /News => lang=en ; title=News`,
  '{byline}__{title}__{n}': `
ada__Engine__1 => byline=ada; title=Engine; n=1
ada_l__Engine_2__10 => byline=ada_l; title=Engine_2; n=10
ada__Engine__x => -
ada__Engine => -
ada____1 => -
ada__Eng__ine__3 => byline=ada; title=Eng__ine; n=3
ada__Engine__03 => byline=ada; title=Engine; n=03
__Engine__1 => -
ada___Engine__1 => byline=ada; title=_Engine; n=1
a__b__0 => byline=a; title=b; n=0`,
  'Lecture {n}: {title} with {byline}': `
Lecture 4: Heat with Boltzmann => n=4; title=Heat; byline=Boltzmann
Lecture 4: Life with heat with Boltzmann => n=4; title=Life; byline=heat with Boltzmann
Lecture: Heat with Boltzmann => -
Lecture 4: Heat => -
lecture 4: Heat with Boltzmann => -
Lecture 44: Heat and work with Ludwig Boltzmann => n=44; title=Heat and work; byline=Ludwig Boltzmann
Lecture 4:Heat with Boltzmann => -
Lecture 4: with X => -
Lecture 4:  with X => -
Lecture 0: a with b => n=0; title=a; byline=b`,
  '{title}': `
Anything at all => title=Anything at all
. => title=.
- => title=-
\tTab => title=\tTab
A name with 100 % and # and & => title=A name with 100 % and # and &
12 => title=12
{x} => title={x}
= => title==
éàü => title=éàü
🎬 Film => title=🎬 Film`,
};
