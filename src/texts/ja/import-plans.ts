import type { Refusals } from '../catalogue.ts'

/** What plans for moving in say. */
export default {
  'The person or team that it belongs to does not come along.': '所有者の人またはチームが移行されません。',
  'The event type that it belongs to does not come along.': '対象の予約タイプが移行されません。',
  'It is switched off there.': '移行元でオフになっています。',
  'You chose to leave it out.': '移行しないことが選ばれました。',
  'This row has no id, so nothing can refer to it.': 'この行にはIDがないため、どこからも参照できません。',
  'Another row has the same id.': '別の行が同じIDを持っています。',
  'The time zone “{0}” is not known here, so it is the one of {1}.':
    'タイムゾーン「{0}」はここでは不明なため、{1}のものになります。',
  'Hours that end before they begin were left out.': '開始より前に終わる時間帯は省かれました。',
  'The hours of one event type, which uses them as a schedule here.':
    '1つの予約タイプの時間帯で、ここではスケジュールとして使われます。',
  'The hours had no schedule there, so they became one.':
    '移行元ではスケジュールのない時間帯だったため、スケジュールになりました。',
  'The schedule of these hours is missing.': 'この時間帯のスケジュールがありません。',
  'It is over.': 'すでに終わっています。',
  'Travel plans are not known here. Change the time zone of the schedule for that time.':
    '旅行の予定はここにはありません。その期間はスケジュールのタイムゾーンを変更してください。',
  'Its dates can’t be read.': '日付を読み取れません。',
  'Days off were days in UTC there. Here they are whole days in {0}.':
    '移行元の休みはUTCの日付でした。ここでは{0}の丸一日になります。',
  'Time off lasts at most {0} days here, so it ends on {1}.':
    'ここでは不在は最長{0}日のため、{1}に終わります。',
  'The person who takes over does not come along.': '代わりの人は移行されません。',
  'Guests don’t see the note here.': 'ここではゲストにメモは表示されません。',
  'The organization is this whole service here. Its owners and admins become admins of the service.':
    '組織はここではこのサービス全体です。所有者と管理者はサービスの管理者になります。',
  'This person has no email address that we can read, so they couldn’t sign in.':
    '読み取れるメールアドレスがないため、ログインできません。',
  'Another person has the same email address.': '別の人が同じメールアドレスを使っています。',
  'Has an account here already: its name, link and page stay.':
    'ここにすでにアカウントがあり、名前、リンク、ページはそのままです。',
  'Becomes an admin of this service, as they are one there.':
    '移行元と同じく、このサービスの管理者になります。',
  'Is locked there, so the account is disabled here.':
    '移行元でロックされているため、ここではアカウントは無効です。',
  'Has to set up two-factor sign-in again.': '2段階認証を設定し直す必要があります。',
  'Had no name in links there: theirs is “{0}” here.':
    '移行元にはリンク名がありませんでした。ここでは「{0}」です。',
  'The name in links is spelled “{0}” here. Links with “{1}” still work.':
    'リンク名はここでは「{0}」です。「{1}」のリンクも引き続き使えます。',
  '“{0}” is reserved or taken here, so the name in links is “{1}”.':
    '「{0}」はここでは予約済みか使用中のため、リンク名は「{1}」になります。',
  'The picture is stored over there: please upload it here.':
    '画像は移行元にあります。ここに改めてアップロードしてください。',
  'The time zone “{0}” is not known here, so it is UTC.':
    'タイムゾーン「{0}」はここでは不明なため、UTCになります。',
  'There are no texts in “{0}” here, so pages are in English.':
    'ここには「{0}」のテキストがないため、ページは英語になります。',
  'None of its members come along.': '移行されるメンバーがいません。',
  'Was not published there, so its event types are open to private links only.':
    '移行元で公開されていなかったため、予約タイプは専用リンクからのみ開けます。',
  'Has no owner who comes along, so {0} becomes the owner.':
    '移行される所有者がいないため、{0}が所有者になります。',
  'Custom roles become owner, admin or member.':
    '独自の役割は、所有者、管理者、メンバーのいずれかになります。',
  'A limit for all meetings of the team is not known here: each event type has its own.':
    'チーム全体の上限はここにはありません。予約タイプごとに上限があります。',
  'The invitation to a team was not accepted there.': 'チームへの招待が移行元で承諾されていません。',
  'Weights that depend on attributes are not known here: the weights of hosts decide.':
    '属性による重みはここにはありません。主催者の重みで決まります。',
  'The attribute is switched off there.': 'この属性は移行元でオフになっています。',
} satisfies Partial<Refusals>
