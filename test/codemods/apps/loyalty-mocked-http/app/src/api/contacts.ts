import { api, ApiError } from './http.ts';

export interface Member {
  phone: string;
  name?: string;
}

export const contacts = {
  list: (page = 1, limit = 20) => api<{ data: Member[] }>(`contacts?page=${page}&limit=${limit}`),
  get: (id: string) => api<{ data: Member }>(`contacts/${id}`),
  update: (id: string, member: Partial<Member>) => api<{ data: Member }>(`contacts/${id}`, { method: 'PUT', json: member }),
  /** One who is there already is no error. */
  async ensure(member: Member): Promise<boolean> {
    try {
      await api('contacts', { method: 'POST', json: member });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return false;
      throw error;
    }
  },
};
