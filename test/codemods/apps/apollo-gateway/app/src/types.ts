export interface Contact {
  id: string;
  name: string;
  phone: string;
}

export interface Message {
  id: string;
  status: string;
}
