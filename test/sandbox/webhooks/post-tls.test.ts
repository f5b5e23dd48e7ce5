import https from 'node:https';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, describe, expect, test } from 'vitest';
import { failOnce, send, start, startHttp } from './attempts.ts';

describe('over TLS', async () => {
  const altNames = [{ type: 2 as const, value: 'hook.example' }];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'test' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  const trusted = getCACertificates('default');
  afterAll(() => setDefaultCACertificates(trusted));
  const trust = (): void => setDefaultCACertificates([...trusted, cert]);

  /** A receiver that says which name it was asked for. @returns its port */
  const startHttps = (): Promise<number> =>
    start(https.createServer({ cert, key }, (req, res) => void res.end(`${(req.socket as TLSSocket).servername} ${req.headers.host}`)));

  test('asks for the name, not for the address', async () => {
    trust();
    const port = await startHttps();
    expect(await send(`https://hook.example:${port}/`)).toMatchObject({
      delivered: true,
      response: { body: `hook.example hook.example:${port}` },
    });
  });

  test('checks that the certificate is one of the name', async () => {
    trust();
    const port = await startHttps();
    const { error } = await send(`https://other.example:${port}/`);
    expect(error).toMatchObject({ code: 'TLS', message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') });
  });

  test('refuses a certificate that nobody trusts, and says what to do', async () => {
    setDefaultCACertificates(trusted);
    const port = await startHttps();
    expect(await send(`https://hook.example:${port}/`)).toMatchObject({
      delivered: false,
      error: {
        code: 'TLS',
        message:
          'The receiver’s certificate or TLS was not accepted; NODE_EXTRA_CA_CERTS adds a certificate to trust (DEPTH_ZERO_SELF_SIGNED_CERT)',
      },
    });
  });

  test('ends at TLS where the receiver speaks none', async () => {
    const port = await startHttp((_req, res) => void res.end());
    expect((await send(`https://hook.example:${port}/`)).error?.code).toBe('TLS');
  });

  test('ends at RESET where the receiver leaves after the handshake', async () => {
    trust();
    const port = await start(https.createServer({ cert, key }, (req) => void req.socket.destroy()));
    expect((await send(`https://hook.example:${port}/`)).error?.code).toBe('RESET');
  });

  test('ends at RESET where the network fails after the handshake: the certificate was good', async () => {
    trust();
    const port = await start(https.createServer({ cert, key }, () => undefined));
    failOnce('secureConnect');
    expect((await send(`https://hook.example:${port}/`)).error?.code).toBe('RESET');
  });
});
