import { useCallback, useEffect, useState } from 'react';
import { useApi } from './context';

export interface Contact {
  id: string;
  firstName: string;
}

export function useContacts() {
  const api = useApi();
  const [contacts, setContacts] = useState<Contact[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void api.get<Contact[]>('/v1/contacts').then((found) => isCurrent && setContacts(found));
    return () => {
      isCurrent = false;
    };
  }, [api]);
  return contacts;
}

export function useSend() {
  const { post } = useApi();
  return useCallback((to: string, content: string) => post('/v1/messages/send', { channel: 'SMS', to, content }), [post]);
}
