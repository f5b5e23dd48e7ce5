import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { joinWrites } from '../../proxy/one-write.ts';

/** A destination that remembers in which pieces it was given what is written. */
function startPieces(): { readonly socket: Writable; readonly pieces: string[] } {
  const pieces: string[] = [];
  const socket = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      pieces.push(chunk.toString('latin1'));
      done();
    },
    writev(chunks, done) {
      for (const { chunk } of chunks) pieces.push(chunk.toString('latin1'));
      done();
    },
  });
  joinWrites(socket);
  return { socket, pieces };
}

describe('what is written while a connection is corked', () => {
  it('leaves in one piece as a head and its body, byte for byte', () => {
    const { socket, pieces } = startPieces();
    const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    socket.cork();
    socket.write('POST / HTTP/1.1\r\n\r\n', 'latin1');
    socket.write(body);
    socket.uncork();
    expect(pieces).toEqual([`POST / HTTP/1.1\r\n\r\n${body.toString('latin1')}`]);
  });

  it.each<[string, (socket: Writable) => void, string[]]>([
    ['a head alone', () => undefined, ['head']],
    ['a head and a text', (socket) => void socket.write('text', 'latin1'), ['head', 'text']],
    ['a head and two bodies', (socket) => [Buffer.from('a'), Buffer.from('b')].forEach((each) => socket.write(each)), ['heada', 'b']],
    ['a head and a long body', (socket) => void socket.write(Buffer.alloc(20_000, 'x')), ['head', 'x'.repeat(20_000)]],
  ])('keeps its order as %s', (_name, goOn, expected) => {
    const { socket, pieces } = startPieces();
    socket.cork();
    socket.write('head', 'latin1');
    goOn(socket);
    socket.uncork();
    expect(pieces).toEqual(expected);
  });

  it('waits for nothing where it is not corked', () => {
    const { socket, pieces } = startPieces();
    socket.write('GET / HTTP/1.1\r\n\r\n', 'latin1');
    expect(pieces).toEqual(['GET / HTTP/1.1\r\n\r\n']);
  });
});
