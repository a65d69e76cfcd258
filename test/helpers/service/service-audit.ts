import type { AuditRecord } from '../../../service/audit/audit-rows.ts';
import type { ServiceProcess } from './service-process.ts';

/** Returns the rows of the audit of a service that was started with `--operations`, oldest first. */
export async function auditOf(
  service: Pick<ServiceProcess, 'operationsUrl' | 'controlToken'>,
  query: Record<string, string> = {},
): Promise<AuditRecord[]> {
  const url = new URL(`/audit?${new URLSearchParams(query)}`, service.operationsUrl);
  const response = await fetch(url, { headers: { authorization: `Bearer ${service.controlToken}` } });
  const lines = (await response.text()).trimEnd().split('\n');
  if (response.status !== 200 || lines.pop() !== '{"end":true}') throw new Error('The audit is not complete.');
  return lines.map((line) => JSON.parse(line) as AuditRecord);
}
