export interface Contact {
  id: string;
  name: string;
  phone: string;
}

export interface Page<T> {
  data: T[];
  page: number;
  total: number;
}
