import { SignatureV4 } from '@smithy/signature-v4';

export const unsignable = new Set(['authorization', 'user-agent', 'x-amzn-trace-id', 'x-api-key']);

export const invoke = (signer = new SignatureV4({ service: 'execute-api', region: 'eu-west-1' })) =>
  signer.sign({ method: 'GET', hostname: 'abc123.execute-api.eu-west-1.amazonaws.com', path: '/v1/messages', headers: { 'x-api-key': process.env.USAGE_PLAN_KEY } });
