import { HttpClient, HttpParams } from '@angular/common/http';
import { inject, Injectable } from '@angular/core';
import { Observable } from 'rxjs';
import { environment } from '../../environments/environment';
import { Contact, Page } from './contact';

@Injectable({ providedIn: 'root' })
export class ContactsService {
  private readonly http = inject(HttpClient);
  private readonly baseUrl = `${environment.messaging.apiUrl}/contacts`;

  list(page = 1, limit = 25): Observable<Page<Contact>> {
    const params = new HttpParams().set('page', page).set('limit', limit);
    return this.http.get<Page<Contact>>(this.baseUrl, { params });
  }

  get(id: string): Observable<Contact> {
    return this.http.get<Contact>(`${this.baseUrl}/${id}`);
  }

  create(contact: Omit<Contact, 'id'>): Observable<Contact> {
    return this.http.post<Contact>(this.baseUrl, contact);
  }

  update({ id, ...changes }: Contact): Observable<Contact> {
    return this.http.put<Contact>(`${this.baseUrl}/${id}`, changes);
  }
}
