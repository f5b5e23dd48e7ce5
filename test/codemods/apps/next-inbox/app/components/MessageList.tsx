'use client';

import useSWR from 'swr';
import { fetcher, ownFetcher } from '../lib/api';

export function MessageList() {
  const { data: messages, isLoading } = useSWR('/v1/messages', fetcher, { refreshInterval: 10_000 });
  const { data: settings } = useSWR('/api/settings', ownFetcher);
  if (isLoading) return <p>Loading…</p>;
  return (
    <ol className={settings?.dense ? 'dense' : undefined}>
      {messages.data.map((message: { id: string; content: string }) => (
        <li key={message.id}>{message.content}</li>
      ))}
    </ol>
  );
}
