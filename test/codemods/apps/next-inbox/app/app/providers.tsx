'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SWRConfig } from 'swr';
import { fetcher } from '../lib/api';

export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={client}>
      <SWRConfig value={{ fetcher, revalidateOnFocus: false }}>{children}</SWRConfig>
    </QueryClientProvider>
  );
}
