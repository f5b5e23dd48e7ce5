import { createHmac } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WebhookErrorCode, type WebhookEvent, WebhookError, verifyWebhook } from '../../src/index.ts';
import { anyText } from '../helpers/any-text.ts';

const secret = 'whsec_0123456789abcdef';
const received = {
  event: 'message.received',
  data: {
    messageId: 'msg_1',
    conversationId: 'cnv_1',
    from: '15550100',
    text: 'Grüße 👋',
    contactId: 'con_1',
    contactName: 'Ann',
    contactPhone: '+15550100',
    receivedAt: '2026-08-01T12:00:00.000Z',
  },
  timestamp: '2026-08-01T12:00:00.001Z',
};
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const body = bytes(received);
/** As the service signs, written without the code under test. */
const sign = (signed: Uint8Array, key = secret): string => `sha256=${createHmac('sha256', key).update(signed).digest('hex')}`;
const signature = sign(body);

/** What it throws; a call that throws nothing, or something else, fails the test. */
function failure(run: () => unknown): WebhookError {
  try {
    run();
  } catch (error) {
    if (error instanceof WebhookError) return error;
    throw error;
  }
  throw new Error('It was accepted');
}

/** A call as JavaScript makes it, with whatever values. */
const verifyAny: (...values: readonly unknown[]) => WebhookEvent = verifyWebhook as never;

describe('a delivery that is verified', () => {
  it('is the event', () => {
    expect(verifyWebhook(body, signature, secret)).toEqual(received);
  });

  it('is verified for the example that anybody can compute with openssl', () => {
    const known = Buffer.from('{"event":"test.ping","data":{},"timestamp":"2026-08-01T12:00:00.000Z"}');
    // printf %s "$body" | openssl dgst -sha256 -hmac whsec_test
    const hex = '35bdef8356ef380d98fc1b94d3a5a951344c73900d46c8e7de53ff4baafa70c2';
    expect(verifyWebhook(known, `sha256=${hex}`, 'whsec_test').event).toBe('test.ping');
  });

  it('may come in a view of a larger buffer', () => {
    const pool = new Uint8Array(body.length + 20).fill(1);
    pool.set(body, 7);
    expect(verifyWebhook(pool.subarray(7, 7 + body.length), signature, secret)).toEqual(received);
  });

  it('may come from another realm, as in test runners that load each file in a context of its own', () => {
    const Foreign: Uint8ArrayConstructor = runInNewContext('Uint8Array');
    expect(new Foreign()).not.toBeInstanceOf(Uint8Array);
    expect(verifyWebhook(Foreign.from(body), signature, secret)).toEqual(received);
  });

  it('may have its signature in a list of one, as headersDistinct gives it', () => {
    expect(verifyWebhook(body, [signature], secret)).toEqual(received);
  });

  it('may be of a kind that is not listed yet', () => {
    const next = { event: 'invoice.paid', data: { total: 1 }, timestamp: received.timestamp, version: 2 };
    expect(verifyWebhook(bytes(next), sign(bytes(next)), secret)).toEqual(next);
  });

  it('tells the type of its data by its event', () => {
    // What matters is that this compiles.
    const line = (event: WebhookEvent): string => {
      switch (event.event) {
        case 'message.received':
          return event.data.contactPhone;
        case 'test.ping':
          // @ts-expect-error -- what the data of a ping holds is not shown
          return event.data.contactPhone;
        default:
          return event.event;
      }
    };
    expect(line(verifyWebhook(body, signature, secret))).toBe('+15550100');
  });

  it('is not lost because a field of its data is not as documented', () => {
    const partly = { ...received, data: { messageId: 'msg_1', contactName: null } };
    expect(verifyWebhook(bytes(partly), sign(bytes(partly)), secret)).toEqual(partly);
  });
});

describe('a signature', () => {
  const hex = signature.slice('sha256='.length);

  it.each<[string, WebhookErrorCode, unknown]>([
    ['that is absent', 'WEBHOOK_SIGNATURE_MISSING', undefined],
    ['that Headers.get did not find', 'WEBHOOK_SIGNATURE_MISSING', null],
    ['that is empty', 'WEBHOOK_SIGNATURE_MISSING', ''],
    ['in an empty list', 'WEBHOOK_SIGNATURE_MISSING', []],
    ['without its prefix', 'WEBHOOK_SIGNATURE_MALFORMED', hex],
    ['with another prefix', 'WEBHOOK_SIGNATURE_MALFORMED', `sha512=${hex}`],
    ['with a prefix in capitals', 'WEBHOOK_SIGNATURE_MALFORMED', `SHA256=${hex}`],
    ['in uppercase hex', 'WEBHOOK_SIGNATURE_MALFORMED', `sha256=${hex.toUpperCase()}`],
    ['in base64', 'WEBHOOK_SIGNATURE_MALFORMED', `sha256=${Buffer.from(hex, 'hex').toString('base64')}`],
    ['that is too short', 'WEBHOOK_SIGNATURE_MALFORMED', signature.slice(0, -1)],
    ['that is too long', 'WEBHOOK_SIGNATURE_MALFORMED', `${signature}0`],
    ['with a digit that is none', 'WEBHOOK_SIGNATURE_MALFORMED', `${signature.slice(0, -1)}g`],
    ['with a line break behind it', 'WEBHOOK_SIGNATURE_MALFORMED', `${signature}\n`],
    ['with nothing behind its prefix', 'WEBHOOK_SIGNATURE_MALFORMED', 'sha256='],
    ['that came twice, as a list', 'WEBHOOK_SIGNATURE_MALFORMED', [signature, signature]],
    ['that came twice, joined', 'WEBHOOK_SIGNATURE_MALFORMED', `${signature}, ${signature}`],
    ['that is no text', 'WEBHOOK_SIGNATURE_MALFORMED', { 'x-service-signature': signature }],
    ['that is a symbol', 'WEBHOOK_SIGNATURE_MALFORMED', Symbol('x')],
    ['that has no text at all', 'WEBHOOK_SIGNATURE_MALFORMED', Object.create(null)],
    ['of other bytes', 'WEBHOOK_SIGNATURE_MISMATCH', sign(Buffer.from('{}'))],
    ['by another secret', 'WEBHOOK_SIGNATURE_MISMATCH', sign(body, 'whsec_old')],
    ['by the secret without its prefix', 'WEBHOOK_SIGNATURE_MISMATCH', sign(body, secret.slice('whsec_'.length))],
  ])('%s is %s, to be answered with 401', (_, code, header) => {
    const error = failure(() => verifyAny(body, header, secret));
    expect(error).toMatchObject({ name: 'WebhookError', code, status: 401 });
    expect(error.message).toContain('X-Service-Signature');
  });

  it.each(['sk_live_0123456789', ` ${secret}`, `${secret}\n`, 'secret'])(
    'does not match the secret %j, and the message says why',
    (wrong) => {
      expect(failure(() => verifyWebhook(body, signature, wrong)).message).toContain('must begin with whsec_ and hold no white space');
    },
  );

  it('of an altered body does not match, and the message leaves the form of the secret alone', () => {
    const { message } = failure(() => verifyWebhook(bytes({ ...received, event: 'test.ping' }), signature, secret));
    expect(message).not.toContain('must begin with');
  });
});

describe('a body that was not left raw', () => {
  it.each<[string, unknown, string]>([
    ['text', body.toString(), 'a string'],
    ['parsed JSON', received, 'a parsed body'],
    ['what express.json() leaves of an empty one', {}, 'a parsed body'],
    ['absent', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a list of numbers', [...body], 'a parsed body'],
    ['a DataView', new DataView(new ArrayBuffer(1)), 'another kind of view'],
    ['16-bit numbers', new Uint16Array(4), 'another kind of view'],
  ])('%s is refused with what to change', (_, value, seen) => {
    const error = failure(() => verifyAny(value, signature, secret));
    expect(error).toMatchObject({ code: 'WEBHOOK_BODY_NOT_RAW', status: 500 });
    expect(error.message).toContain(seen);
    expect(error.message).toContain("express.raw({ type: 'application/json' })");
  });

  it('an ArrayBuffer is refused with the one word that it needs', () => {
    const error = failure(() => verifyAny(new Uint8Array(body).buffer, signature, secret));
    expect(error).toMatchObject({ code: 'WEBHOOK_BODY_NOT_RAW', status: 500 });
    expect(error.message).toMatch(/an ArrayBuffer: pass new Uint8Array\(buffer\)$/);
  });
});

describe('a secret', () => {
  it.each([undefined, null, '', 7, Buffer.from(secret)])('%j is missing, whatever the signature', (value) => {
    for (const header of [signature, undefined]) {
      expect(failure(() => verifyAny(body, header, value))).toMatchObject({ code: 'WEBHOOK_SECRET_MISSING', status: 500 });
    }
  });

  it('of another form is accepted where the signature proves it right', () => {
    expect(verifyWebhook(body, sign(body, 'other'), 'other')).toEqual(received);
  });
});

describe('a body that is rightly signed and no delivery', () => {
  it.each<[string, Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['no JSON', Buffer.from('{"event":')],
    ['no UTF-8', Buffer.from(body.toString('latin1').replace('Ann', '\xff'), 'latin1')],
    ['null', bytes(null)],
    ['a list', bytes([received])],
    ['without event', bytes({ ...received, event: undefined })],
    ['with a number for event', bytes({ ...received, event: 1 })],
    ['without timestamp', bytes({ ...received, timestamp: undefined })],
    ['without data', bytes({ ...received, data: undefined })],
    ['with null for data', bytes({ ...received, data: null })],
    ['with a list for data', bytes({ ...received, data: [] })],
    ['with its fields in __proto__', Buffer.from(`{"__proto__":${body.toString()}}`)],
  ])('%s is to be answered with 400', (_, signed) => {
    expect(failure(() => verifyWebhook(signed, sign(signed), secret))).toMatchObject({ code: 'WEBHOOK_BODY_INVALID', status: 400 });
  });

  it('keeps the parser’s error as the cause', () => {
    const signed = Buffer.from('{"event":');
    expect(failure(() => verifyWebhook(signed, sign(signed), secret)).cause).toBeInstanceOf(SyntaxError);
  });
});

describe('whatever the bytes and the secret', () => {
  // fast-check prints the seed and the counterexample of a property that fails.
  const anyBytes = fc.uint8Array({ maxLength: 300 });
  const anySecret = anyText({ minLength: 1 }).map((text) => `whsec_${text}`);
  const anyDelivery = fc
    .record({ event: fc.string(), data: fc.dictionary(fc.string(), fc.jsonValue()), timestamp: fc.string() })
    .map((value) => ({ value, signed: bytes(value) }));
  const anyBit = fc.nat();
  const flip = (signed: Uint8Array, bit: number): Uint8Array => {
    const at = bit % (signed.length * 8);
    return signed.map((byte, i) => (i === at >> 3 ? byte ^ (1 << (at & 7)) : byte));
  };

  it('a delivery with its own signature is the event', () => {
    fc.assert(
      fc.property(anyDelivery, anySecret, ({ value, signed }, key) => {
        expect(verifyWebhook(signed, sign(signed, key), key)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('bytes with their own signature never fail for it', () => {
    fc.assert(
      fc.property(anyBytes, anySecret, (signed, key) => {
        expect(failure(() => verifyWebhook(signed, sign(signed, key), key)).code).toBe('WEBHOOK_BODY_INVALID');
      }),
    );
  });

  it('one flipped bit of the body fails', () => {
    fc.assert(
      fc.property(anyDelivery, anySecret, anyBit, ({ signed }, key, bit) => {
        expect(failure(() => verifyWebhook(flip(signed, bit), sign(signed, key), key)).code).toBe('WEBHOOK_SIGNATURE_MISMATCH');
      }),
    );
  });

  it('one flipped bit of the signature fails', () => {
    fc.assert(
      fc.property(anyDelivery, anySecret, anyBit, ({ signed }, key, bit) => {
        const altered = Buffer.from(flip(Buffer.from(sign(signed, key)), bit)).toString('latin1');
        expect(failure(() => verifyWebhook(signed, altered, key)).status).toBe(401);
      }),
    );
  });

  it('no message, stack or cause holds the secret or the signature that was expected', () => {
    fc.assert(
      fc.property(anyBytes, fc.stringMatching(/^[0-9a-zA-Z]{24,40}$/), fc.boolean(), (signed, text, prefixed) => {
        const key = prefixed ? `whsec_${text}` : text;
        const headers = [undefined, 'sha256=', sign(signed, 'other'), sign(signed, key)];
        for (const [index, header] of headers.entries()) {
          const error = failure(() => verifyWebhook(signed, header, key));
          const told = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
          expect(told, String(index)).not.toContain(text);
          expect(told, String(index)).not.toContain(sign(signed, key).slice('sha256='.length));
        }
      }),
    );
  });
});
