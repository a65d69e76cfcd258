/** The style sheet of the HTML receipt, for the screen and for paper. */
export const RECEIPT_STYLE = `
:root{color-scheme:light;font:10.5pt/1.45 system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif;color:#1a1c20;background:#fff}
body{margin:3rem auto;max-width:64rem;padding:0 1.5rem}
header{display:flex;flex-wrap:wrap;column-gap:3rem;align-items:end;justify-content:space-between;border-bottom:2px solid #1a1c20}
header div{flex:1 1 20rem}
.kind{margin:0;font-size:9pt;letter-spacing:.06em;text-transform:uppercase;color:#565d69}
h1{font-size:1.75rem;line-height:1.2;margin:.15rem 0 .9rem;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.05rem;margin:2rem 0 .3rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;margin:0 0 .9rem;font-size:9.5pt}
dt{color:#565d69}dd{margin:0;overflow-wrap:anywhere}
.summary{margin:1.2rem 0 1.6rem}
.headline{font-size:1.2rem;font-weight:600;margin:0 0 .6rem}
.totals{display:flex;flex-wrap:wrap;gap:.3rem 1.8rem;margin:0;padding:0;list-style:none}
.totals b{font-size:1.05rem;font-variant-numeric:tabular-nums}
.note{margin:.6rem 0 0;color:#7a4b00}
table{border-collapse:collapse;width:100%}
th{font-size:9pt;font-weight:600;color:#565d69;text-align:left;border-bottom:1px solid #8b93a1}
th,td{padding:.5rem 1.2rem .5rem 0;vertical-align:top;unicode-bidi:isolate;overflow-wrap:anywhere}
td{border-bottom:1px solid #dfe2e8}
th:last-child,td:last-child{padding-right:0}
.number{text-align:right;white-space:nowrap;overflow-wrap:normal;font-variant-numeric:tabular-nums}
th:nth-child(2),td:nth-child(2){min-width:8rem}
thead{display:table-header-group}
tr{break-inside:avoid}
h2{break-after:avoid}
td p,td ul{margin:.1rem 0 0}
td ul{padding-left:1.1rem}
td p,td li{font-size:9.5pt;color:#40464f}
.sum{line-height:1.2}
.sum code{overflow-wrap:normal;color:#565d69;font:7.5pt ui-monospace,"Cascadia Mono",Menlo,"Liberation Mono",monospace}
.status{font-weight:600}
.complete .status,li.complete{color:#14602f}
.failed .status,li.failed{color:#a11a1a}
.asks .status,li.asks{color:#7a4b00}
.pending .status,.cancelled .status,li.pending,li.cancelled,li.skipped{color:#565d69}
a{color:inherit;text-decoration-color:#8b93a1;text-underline-offset:3px}
footer{margin-top:2rem;padding-top:.8rem;font-size:8.5pt;color:#565d69}
footer p{margin:.15rem 0}
@page{margin:16mm 15mm}
@media print{:root{font-size:9.5pt}body{margin:0;max-width:none;padding:0}a{text-decoration:none}}
@media screen and (max-width:40rem){body{margin:1.5rem auto}thead{display:none}tr,td{display:block}tr{padding:.5rem 0;border-bottom:1px solid #dfe2e8}td{padding:0;border:0}.number{text-align:left}}
`;
