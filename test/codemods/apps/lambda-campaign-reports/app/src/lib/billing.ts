/** The billing provider's API: another company's, with a key in the same header. */
export async function invoiceTotal(env: { BILLING_URL?: string; BILLING_KEY?: string }, order: string): Promise<number | undefined> {
  if (env.BILLING_URL === undefined) return undefined;
  const response = await fetch(`${env.BILLING_URL}/invoices/${order}`, { headers: { 'x-api-key': env.BILLING_KEY ?? '' } });
  const { total } = (await response.json()) as { total: number };
  return total;
}
