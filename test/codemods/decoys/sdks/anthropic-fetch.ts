interface Block {
  type: string;
  text?: string;
}

export async function complete(prompt: string): Promise<string> {
  const response = await fetch('https://api.anthropic.com/v1/messages', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': process.env.ANTHROPIC_API_KEY ?? '',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ model: 'claude', max_tokens: 1024, messages: [{ role: 'user', content: prompt }] }),
  });
  const body = (await response.json()) as { content: Block[] };
  return body.content.map(({ text }) => text ?? '').join('');
}
