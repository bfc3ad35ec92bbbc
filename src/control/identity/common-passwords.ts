/** The passwords of ten characters or more that lists of leaked ones have most often, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `1234567890 0123456789 0987654321 9876543210 12345678910 123456789a a123456789 123456789q q123456789 1234567891
  1234512345 12345678901 123456789123 1111111111 0000000000 1122334455 1212121212 1231231231 1234554321 9999999999
  1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx3edc 1qazxsw23edc zaq12wsxcde3 qazwsxedcr qazwsxedcrfv
  qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiop[] qwerty12345 qwerty123456 qwerty1234 qwertyuiopasdf
  qwerty123! asdfghjkl1 asdfghjkl; asdfghjklz zxcvbnm123 zxcvbnmasd poiuytrewq mnbvcxzlkj qweasdzxc123 qweasdzxc1
  password12 password123 password1234 password12345 password123! password1! password01 password!1 password2024
  password2025 password2026 passw0rd123 passw0rd12 p@ssword123 p@ssw0rd12 p@ssw0rd123 p@ssw0rd1! p@ssword12
  mypassword newpassword passwordpassword changeme123 changeme12 changeme1! changemenow letmein123 letmein1234
  letmeinplease iloveyou12 iloveyou123 iloveyou1234 iloveyou11 iloveyou22 iloveyou!! iloveyouso ilovemyself
  ilovegod123 abcdefghij abcdefghijk abcd123456 abcde12345 abcdef1234 abc1234567 abc123456789 a1b2c3d4e5
  a1b2c3d4e5f6 aa12345678 aa123456789 welcome123 welcome1234 welcome123! welcome2024 welcome2025 welcome2026
  admin12345 admin123456 admin@1234 admin123!@ administrator administrator1 superadmin1 superadmin123 rootroot12
  toor123456 football123 football12 baseball123 baseball12 basketball basketball1 volleyball superman123 superman12
  batman12345 spiderman1 spiderman123 dragonball dragonball1 pokemon123 minecraft1 minecraft123 starwars123
  princess123 princess12 sunshine123 sunshine12 butterfly1 chocolate1 strawberry watermelon monkey1234 monkey12345
  shadow1234 master1234 michael123 michelle12 jennifer12 christopher alexander1 elizabeth1 charlotte1 september1
  november11 december12 summer2024 summer2025 summer2026! winter2024 winter2025 winter2026! spring2025! autumn2025!
  computer123 internet123 samsung123 samsung1234 google12345 facebook123 facebook12 liverpool1 manchester
  manchester1 barcelona1 realmadrid realmadrid1 trustno1trustno1 trustno112 whatever123 whatever12 freedom123
  test123456 test1234567 testtest12 testing1234 testing123! temp123456 default123 guest12345 user123456 secret1234
  secret12345 faregate12 faregate123 faregate1234 qwertyqwerty asdfasdfasdf 1qaz1qaz1q zaq1zaq1zaq1 147258369a
  1472583690 159357258a 7894561230 741852963a 1357924680 2468013579 fuckyou123 fuckyou1234 hello12345 hello123456
  helloworld helloworld1 goodmorning thankyou123 lovelove12 loveyou123 jesuschrist jesus12345 blessed123 family1234
  correcthorsebatterystaple correct horse battery staple thequickbrownfox tobeornottobe loremipsum`
    .split(/\s+/)
    .filter((word) => word.length >= 10),
);
