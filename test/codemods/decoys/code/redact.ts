const secret = /^(authorization|cookie|x-api-key|set-cookie)$/i;

export function redact(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secret.test(name) || name === 'x-api-key' ? '***' : value]));
}
