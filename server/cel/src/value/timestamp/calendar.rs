//! Years, months and days.

/// A date and time of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// The year.
    pub year: i64,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, 1 to 31.
    pub day: u8,
    /// The day of the year, 0 to 365.
    pub day_of_year: u16,
    /// The day of the week: 0 is Sunday.
    pub day_of_week: u8,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute, 0 to 59.
    pub minute: u8,
    /// The second, 0 to 59.
    pub second: u8,
}

const SECONDS_OF_DAY: i64 = 86_400;
const DAYS_OF_400_YEARS: i64 = 146_097;
/// The days from March 1 of year 0 to January 1, 1970.
const DAYS_TO_1970: i64 = 719_468;
/// The days before each month in a year that is not a leap year.
const DAYS_BEFORE: [u16; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

impl Calendar {
    /// Returns the moment some seconds after the beginning of 1970.
    pub(super) fn new(seconds: i64) -> Self {
        let days = seconds.div_euclid(SECONDS_OF_DAY);
        let second_of_day = seconds.rem_euclid(SECONDS_OF_DAY);
        let (year, month, day) = date(days);
        let before = usize::from(month).checked_sub(1);
        let before = before.and_then(|month| DAYS_BEFORE.get(month)).copied();
        let leap_day = u16::from(month > 2 && is_leap(year));
        Self {
            year,
            month,
            day,
            day_of_year: before.unwrap_or(0) + leap_day + u16::from(day) - 1,
            // The first day of 1970 was a Thursday.
            day_of_week: (days + 4).rem_euclid(7) as u8,
            hour: (second_of_day / 3600) as u8,
            minute: (second_of_day / 60 % 60) as u8,
            second: (second_of_day % 60) as u8,
        }
    }
}

/// Returns year, month and day of a number of days after the beginning of 1970. Years are counted
/// from March, so that the leap day is the last one.
fn date(days: i64) -> (i64, u8, u8) {
    let days = days + DAYS_TO_1970;
    let era = days.div_euclid(DAYS_OF_400_YEARS);
    let day_of_era = days.rem_euclid(DAYS_OF_400_YEARS);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month as u8, day as u8)
}

/// Returns the days from the beginning of 1970 to a date.
pub(super) fn days_to(year: i64, month: u8, day: u8) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * DAYS_OF_400_YEARS + day_of_era - DAYS_TO_1970
}

/// Returns the number of days of a month. 0 if there is no such month.
pub(super) const fn days_of_month(year: i64, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 0,
    }
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}
