import { HttpClient } from '@angular/common/http';
import { Injectable } from '@angular/core';
import { map, Observable, switchMap } from 'rxjs';
import { environment } from '../../environments/environment';

export interface Campaign {
  id: string;
  name: string;
  stats?: { sent: number; failed: number };
}

@Injectable({ providedIn: 'root' })
export class CampaignsService {
  private campaignsUrl = environment.messaging.apiUrl + '/campaigns';

  constructor(private http: HttpClient) {}

  get(id: string): Observable<Campaign> {
    return this.http.get<Campaign>(this.campaignsUrl + '/' + id);
  }

  createAndSend(name: string): Observable<string> {
    return this.http.post<Campaign>(this.campaignsUrl, { name }).pipe(
      switchMap(({ id }) => this.http.post<{ id: string }>(`${this.campaignsUrl}/${id}/send`, {})),
      map(({ id }) => id),
    );
  }
}
